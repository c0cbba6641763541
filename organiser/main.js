// `npm run workshop -- VERB`: manages workshops and attendees from the organiser's machine.
// docs/organising.md shows every command.

import { workshopCommand } from "./command.js";

const { exitCode, output, error } = await workshopCommand(process.argv.slice(2));
if (output !== undefined) console.log(output);
if (error !== undefined) console.error(error);
process.exitCode = exitCode;
