/** Where the library runs: what initialisation looks at (§5). */
export interface Environment {
  /** Is there a window object? */
  readonly hasWindow: boolean;
  /** Is there real-time media? */
  readonly hasRealTimeMedia: boolean;
  readonly userAgent: string;
  /** The page's address, parsed; null where there is no page. */
  readonly location: { readonly protocol: string; readonly hostname: string } | null;
}
