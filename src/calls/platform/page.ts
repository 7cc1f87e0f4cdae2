/** The life of the page (Page Lifecycle): active, passive, hidden, frozen, terminated (§3). */
export type PageState = 'active' | 'passive' | 'hidden' | 'frozen' | 'terminated';

export interface PagePort {
  readonly state: PageState;
  /** Calls `changed` on each change. Returns the function that ends this. */
  onChange(changed: (state: PageState) => void): () => void;
  /** Calls `online` when the network is back. Returns the function that ends this. */
  onOnline(online: () => void): () => void;
}
