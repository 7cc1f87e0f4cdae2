/**
 * Runs before the first picture, which is in index.html: in which colours and language to show it, and only where the
 * landing is what will come. Whatever is chosen here, the app chooses again, by theme.ts and locale.ts.
 */
(() => {
  const page = document.documentElement;
  const kept = (name) =>
    document.cookie
      .split('; ')
      .find((pair) => pair.startsWith(`${name}=`))
      ?.slice(name.length + 1);

  const theme = kept('ringback_theme');
  if (theme === 'dark' || theme === 'light') page.dataset.theme = theme;
  const language = [kept('ringback_locale'), ...navigator.languages].find((tag) => /^(zh|en)\b/i.test(tag ?? ''));
  if (/^en/i.test(language ?? '')) page.lang = 'en';
  // Whoever has no token is sent there.
  if (/^\/(home)?$/.test(location.pathname) || !localStorage.getItem('token')) page.dataset.firstPicture = 'landing';
})();
