/** The title of the tab that Chromium shares without asking. */
export const SHARED_TAB = 'Slides';
