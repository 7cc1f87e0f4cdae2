interface FloatingWindows {
  requestWindow(options: { width: number; height: number }): Promise<Window>;
}

declare global {
  interface Window {
    /** Document picture-in-picture, in browsers that support it. */
    readonly documentPictureInPicture?: FloatingWindows;
  }
}

const SIZE = { width: 320, height: 260 };

/** Opens a window with the styles of this page above all others. Resolves to undefined without browser support. */
export async function openFloatingWindow(page: Window): Promise<Window | undefined> {
  const opened = await page.documentPictureInPicture?.requestWindow(SIZE);
  if (opened === undefined) return undefined;
  const { documentElement, head } = opened.document;
  documentElement.lang = page.document.documentElement.lang;
  documentElement.dataset['theme'] = 'dark';
  for (const style of page.document.querySelectorAll('link[rel=stylesheet], style')) head.append(style.cloneNode(true));
  return opened;
}
