/** The life of the page (Page Lifecycle): active, passive, hidden, frozen, terminated (§3). */
export type PageState = 'active' | 'passive' | 'hidden' | 'frozen' | 'terminated';

export interface PagePort {
  readonly state: PageState;
  /** Calls `changed` on each change; returns the undo. */
  onChange(changed: (state: PageState) => void): () => void;
  /** Calls `online` when the network is back; returns the undo. */
  onOnline(online: () => void): () => void;
}
