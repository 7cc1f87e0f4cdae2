/** What the browser reports about the network and about the page. */
export interface Connectivity {
  /** Whether there is a network. */
  isOnline(): boolean;
  /** Called when the network goes or comes. Returns the undo. */
  subscribe(listener: () => void): () => void;
  /**
   * Called when the page is shown again, restored from the back/forward cache, or resumed: while it was away, a socket may
   * have died without a close, and another tab may have changed the storage. Returns the undo.
   */
  onReturn(listener: () => void): () => void;
}
