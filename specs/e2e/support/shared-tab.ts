/** The title of the tab that Chromium shares without a question when a page asks for a screen. */
export const SHARED_TAB = 'Slides';
