/** Returns the setting of the application for the whole page, read at each call. */
export const globalSetting = (): unknown => globalThis.RINGBACK;
