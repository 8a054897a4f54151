/** Every fault of the settings, in words for the operator. */
export class SettingsError extends Error {
  constructor(problems: string[]) {
    const count = problems.length === 1 ? "a fault" : `${problems.length} faults`;
    super(`The settings have ${count}:\n${problems.map((problem) => `- ${problem}`).join("\n")}`);
    this.name = "SettingsError";
  }
}
