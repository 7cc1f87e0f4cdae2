import { createContext, useContext, useEffect } from 'react';

/**
 * The floors of the page, from bottom to top: content, sheets, call view, incoming card. A modal floor makes those
 * below it inert. Not the browser's top layer: a call must ring above an open sheet.
 */
export interface Layers {
  readonly sheetHost: HTMLElement | null;
  /** A sheet is open until the returned undo is called. */
  enterSheet(): () => void;
}

const LayersContext = createContext<Layers | null>(null);
export const LayersProvider = LayersContext.Provider;

export function useSheetHost(): HTMLElement | null {
  const layers = useContext(LayersContext);
  if (layers === null) throw new Error('A sheet needs the layers of the shell');
  const { enterSheet, sheetHost } = layers;
  useEffect(() => enterSheet(), [enterSheet]);
  return sheetHost;
}
