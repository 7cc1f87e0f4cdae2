import { createContext, useContext, useEffect } from 'react';

/**
 * The layers of the page, from bottom to top: content, sheets, call view, incoming card. A modal layer makes those
 * below it inert. It is not the browser's top layer, because a call must ring above an open sheet.
 */
export interface Layers {
  readonly sheetHost: HTMLElement | null;
  /** Marks a sheet as open. Returns the function that marks it as closed. */
  enterSheet(): () => void;
}

const LayersContext = createContext<Layers | null>(null);
export const LayersProvider = LayersContext.Provider;

/**
 * Marks a sheet as open while the component is mounted. Returns the element for sheets.
 *
 * @returns null before the element is rendered.
 * @throws Error outside of the shell.
 */
export function useSheetHost(): HTMLElement | null {
  const layers = useContext(LayersContext);
  if (layers === null) throw new Error('A sheet needs the layers of the shell');
  const { enterSheet, sheetHost } = layers;
  useEffect(() => enterSheet(), [enterSheet]);
  return sheetHost;
}
