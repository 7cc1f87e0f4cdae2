/** What the application has set for all of the page; read when it is asked for. */
export const globalSetting = (): unknown => globalThis.RINGBACK;
