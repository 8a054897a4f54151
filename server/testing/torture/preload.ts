import { readFileSync } from "node:fs";
import "../replace-pages.ts";

// The process's clock is offset by the milliseconds in a file, with effect at once.
const clockFile = process.env.TORTURE_CLOCK ?? "";
const rightNow = Date.now;
let wrongBy = 0;
const look = () => {
  wrongBy = Number(readFileSync(clockFile, "utf8"));
};
look();
setInterval(look, 100).unref();

Date.now = () => rightNow() + wrongBy;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, made) => Reflect.construct(target, args.length > 0 ? args : [target.now()], made),
});
