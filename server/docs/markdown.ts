import { sampleLabel } from "./html.ts";
import type { Block, Code, Page } from "./page.ts";

/** Returns the page as Markdown. */
export function toMarkdown({ title, lead, note, blocks }: Page): string {
  return [`# ${title}`, ...(note ? [`\`${note}\``] : []), lead, ...blocks.map(blockToMarkdown), ""].join(
    "\n\n",
  );
}

const codeToMarkdown = ({ language, text }: Code) => `\`\`\`${language}\n${text}\n\`\`\``;

function blockToMarkdown(block: Block): string {
  switch (block.type) {
    case "heading":
      return `${"#".repeat(block.level)} ${block.text}`;
    case "paragraph":
      return block.text;
    case "list":
      return block.items.map((item) => `- ${item}`).join("\n");
    case "code":
      return codeToMarkdown(block);
    case "samples":
      return block.samples
        .map((sample) => `${sampleLabel(sample)}:\n\n${codeToMarkdown(sample)}`)
        .join("\n\n");
    case "beside":
      return block.blocks.map(blockToMarkdown).join("\n\n");
    case "table":
      return [block.columns, block.columns.map(() => "---"), ...block.rows]
        .map(
          (cells) =>
            `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`,
        )
        .join("\n");
  }
}
