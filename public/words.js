// Which language the page speaks, and how it remembers. The texts themselves are in
// `words-en.js` and `words-de.js`, which have the same entries.

/** @import {Words} from "./types.js" */

const LANGUAGES = ["de", "en"];
const REMEMBERED = "einmal-language";

/** @returns {Promise<Words>} the texts of one language, loaded when they are wanted */
export async function wordsOf(language) {
  return (await import(`./words-${language}.js`)).default;
}

/**
 * The address decides, then what the person chose before, then the browser.
 * @param {{address: string | null, remembered: string | null, browser: readonly string[]}} wishes
 * @returns {"de" | "en"}
 */
export function chooseLanguage({ address, remembered, browser }) {
  const wishes = [address, remembered, ...browser].map((wish) => wish?.slice(0, 2).toLowerCase());
  return wishes.find((wish) => LANGUAGES.includes(wish)) ?? "en";
}

/** @returns {string | null} what the person chose before, if the browser let us keep it */
export function rememberedLanguage() {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}

/** @param {string} language */
export function rememberLanguage(language) {
  try {
    localStorage.setItem(REMEMBERED, language);
  } catch {
    // The address keeps it for this tab.
  }
}
