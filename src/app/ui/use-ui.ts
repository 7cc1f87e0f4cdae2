import { createArea } from '../core/hooks/create-area.ts';
import type { QueryKeeper } from './data/query-keeper.ts';
import type { AppDialogs, Dialogs } from '../../ui/dialogs/dialogs.ts';
import type { Toasts } from '../../ui/toasts/toasts.ts';

/** The services of the kit. */
export interface UiArea {
  /** The questions and notices above every screen. */
  readonly dialogs: Dialogs;
  /** The app's own dialogs, even when `dialogs` are the browser's. */
  readonly appDialogs: AppDialogs;
  /** Short messages that disappear after a time. */
  readonly toasts: Toasts;
  /** The cached answers of the user. */
  readonly queries: QueryKeeper;
}

export const [UiProvider, useUi] = createArea<UiArea>('the kit');
