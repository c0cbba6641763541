// Chooses and remembers the page's language.

/** @type {Language[]} */
const LANGUAGES = ["de", "en"];
const REMEMBERED = "einmal-language";

/** @param {Language} language @returns {Promise<Words>} */
export async function wordsOf(language) {
  return (await import(`./words-${language}.js`)).default;
}

/** The address decides, then the person's earlier choice, then the browser. @type {ChooseLanguage} */
export function chooseLanguage({ address, remembered, browser }) {
  for (const wish of [address, remembered, ...browser]) {
    const found = LANGUAGES.find((one) => one === wish?.slice(0, 2).toLowerCase());
    if (found) return found;
  }
  return "en";
}

export function rememberedLanguage() {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}

/** @param {Language} language */
export function rememberLanguage(language) {
  try {
    localStorage.setItem(REMEMBERED, language);
  } catch {
    // The address keeps it for this tab.
  }
}
