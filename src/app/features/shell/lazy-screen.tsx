import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { withData } from '../../ui/data/with-data.tsx';
import { loadScreen } from './load-screen.ts';

/** The properties that the shell passes to every screen. */
export interface ScreenProps {
  /** Opens the online-presence socket (app-shell §2). */
  openPresence(): void;
}

export type LazyScreen = LazyExoticComponent<ComponentType<ScreenProps>>;
type LoadScreen = () => Promise<{ default: ComponentType<ScreenProps> }>;

/** Loads the code of a screen that needs no sign-in. */
export function visitorScreen(load: LoadScreen): LazyScreen {
  return lazy(() => loadScreen(load));
}

/** Loads the code of a screen for signed-in users, with the cache of the server's data around it. */
export function userScreen(load: LoadScreen): LazyScreen {
  return lazy(() => loadScreen(async () => ({ default: await withData(async () => (await load()).default) })));
}
