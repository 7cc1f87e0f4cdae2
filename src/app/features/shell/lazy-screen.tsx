import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { withData } from '../../ui/data/with-data.tsx';
import { loadScreen } from './load-screen.ts';

/** What the shell gives every screen; most need nothing of it. */
export interface ScreenProps {
  /** Opens the online-presence socket (app-shell §2). */
  openPresence(): void;
}

export type LazyScreen = LazyExoticComponent<ComponentType<ScreenProps>>;
type LoadScreen = () => Promise<{ default: ComponentType<ScreenProps> }>;

/** A screen for anyone: its code alone. */
export function visitorScreen(load: LoadScreen): LazyScreen {
  return lazy(() => loadScreen(load));
}

/** A screen for users: its code, with what reads from the server around it. */
export function userScreen(load: LoadScreen): LazyScreen {
  return lazy(() => loadScreen(async () => ({ default: await withData(async () => (await load()).default) })));
}
