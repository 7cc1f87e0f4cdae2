/** The environment of the library, which initialisation checks (§5). */
export interface Environment {
  /** True with a window object. */
  readonly hasWindow: boolean;
  /** True with real-time media. */
  readonly hasRealTimeMedia: boolean;
  readonly userAgent: string;
  /** The page's address, parsed. Null without a page. */
  readonly location: { readonly protocol: string; readonly hostname: string } | null;
}
