/** What the browser reports about what can be asked at all. */
export interface Connectivity {
  /** Whether there is a network. */
  isOnline(): boolean;
  /** Whether the page is going away, which cuts off whatever it has asked. */
  isLeaving(): boolean;
  /** Called when the network goes or comes. Returns the undo. */
  subscribe(listener: () => void): () => void;
}
