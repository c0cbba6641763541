// Which language the page speaks, and how it remembers. The texts are in `words-en.js` and
// `words-de.js`.

const LANGUAGES = ["de", "en"];
const REMEMBERED = "einmal-language";

/** @returns {Promise<import("./types.js").Words>} */
export async function wordsOf(language) {
  return (await import(`./words-${language}.js`)).default;
}

/** The address decides, then what the person chose before, then the browser. */
export function chooseLanguage({ address, remembered, browser }) {
  const wishes = [address, remembered, ...browser].map((wish) => wish?.slice(0, 2).toLowerCase());
  return wishes.find((wish) => LANGUAGES.includes(wish)) ?? "en";
}

export function rememberedLanguage() {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}

export function rememberLanguage(language) {
  try {
    localStorage.setItem(REMEMBERED, language);
  } catch {
    // The address keeps it for this tab.
  }
}
