// `npm run pictures`: takes docs/pictures/ again, of the page on the built Worker.
// `PICTURES=every` takes every scene at four widths in both schemes, into .wrangler/pictures, to
// look at; `SCENES=open,reserved` only those.

import { mkdirSync } from "node:fs";
import { buildService } from "../support/build.js";

buildService();
// These start the service and the browser.
const { newPerson } = await import("./person.js");
const { makeSeason, scenes } = await import("./scenes.js");

const every = process.env.PICTURES === "every";
const folder = every ? ".wrangler/pictures" : "docs/pictures";
mkdirSync(folder, { recursive: true });

/** What the README shows. */
const shown = [
  ["list", 768, 690, "light", "en-GB"],
  ["open", 390, 700, "light", "en-GB"],
];
const scenesWanted = process.env.SCENES?.split(",") ?? Object.keys(scenes);
const all = scenesWanted.flatMap((scene) =>
  [320, 390, 768, 1440].flatMap((width, index) => [
    [scene, width, 844, "light", ["en-GB", "de-CH"][index % 2]],
    [scene, width, 844, "dark", ["de-CH", "en-GB"][index % 2]],
  ]),
);

const season = await makeSeason();
for (const [scene, width, height, colorScheme, locale] of every ? all : shown) {
  const person = await newPerson({
    viewport: { width, height },
    colorScheme,
    locale,
    reducedMotion: "reduce",
  });
  await person.open(season.linocut);
  await scenes[scene](person, season);
  const path = `${folder}/${scene.replace(/\W+/g, "-")}-${width}-${colorScheme}.png`;
  await person.page.screenshot({ path, fullPage: scene !== "contract" });
  await person.context.close();
}
// The service and the browser end with it.
process.exit();
