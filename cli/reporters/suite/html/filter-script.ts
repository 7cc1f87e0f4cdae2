/** The script of the page: text search, and links to a case. The page works without it. */
export const FILTER_SCRIPT = `
const cases = [...document.querySelectorAll('details.case')];
const words = document.querySelector('#words');
const open = () => {
  const named = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (named && named.tagName === 'DETAILS') { named.open = true; named.scrollIntoView(); }
};
addEventListener('hashchange', open);
open();
if (words) {
  document.querySelector('#search').hidden = false;
  const find = () => {
    const wanted = words.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let found = 0;
    for (const one of cases) {
      const fits = wanted.every((word) => one.dataset.words.includes(word));
      one.classList.toggle('unfit', !fits);
      if (fits) found += 1;
    }
    document.querySelector('#found').textContent = wanted.length === 0 ? '' : found + ' found';
    document.querySelector('#none').hidden = found > 0;
  };
  words.addEventListener('input', find);
  if (words.value) find();
}
`;
