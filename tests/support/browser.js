// Finds a Chromium or Chrome for the browser suite. As a program it prints the path, and fails without
// one; set-up then tries to install one.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const applications = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * @returns {string} the program's path
 * @throws {Error} with the remedy, if there is none
 */
export function browserPath() {
  const wanted = process.env.CHROMIUM_PATH;
  if (wanted && !isProgram(wanted)) {
    throw new Error(`expected CHROMIUM_PATH to be a program, found ${wanted}`);
  }
  const folders = process.env.PATH.split(delimiter);
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const found = wanted || [...candidates, ...applications].find(isProgram);
  if (found) return found;
  throw new Error(
    "no browser was found, and the browser suite needs one: install Chromium or Chrome " +
      "(on Debian: apt-get install chromium), or set CHROMIUM_PATH to its path",
  );
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.main) {
  try {
    console.log(browserPath());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
