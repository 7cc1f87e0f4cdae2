import { m } from '../../../../core/i18n/generated/messages.js';
import type { DevicePermissions } from '../../../../core/ports/device-permissions.ts';
import type { Store } from '../../../../../common/store.ts';
import type { Dialogs } from '../../../../../ui/dialogs/dialogs.ts';
import type { BrowserKind } from '../../../devices/browser-kind.ts';
import { denialOf, permissionQuestion } from '../../../devices/permission-steps.ts';
import { type ActiveCall, type CallParty, isLive } from '../../../../../react/index.ts';
import { displayName } from '../../call-state.ts';
import type { CallingService } from '../../calling-service.ts';
import type { Dialer } from '../../dialer.ts';
import type { CallDock } from '../dock/call-dock.ts';
import type { AboutParty } from '../party-sheet.tsx';
import type { CallExtra } from './call-view-model.ts';
import type { IdleVisibility } from './idle-visibility.ts';
import type { PassingNotice } from './passing-notice.ts';

/** The actions of the call screen that take more than one request to the calling service. */
export interface CallActions {
  /** Opens the panel of further actions, or closes it. */
  toggleMore(): void;
  /** Closes the panel of further actions, and returns the focus to its button. */
  closeMore(): void;
  /** Closes the panel and performs one of its actions, or an action of the summary. */
  doExtra(name: CallExtra['name']): Promise<void>;
  /** Closes the panel, else the summary, else shows the controls. No key ends the call. */
  escape(): void;
  /**
   * Opens the unavailable devices again. If the browser has stored a denial, the user first reads how to change it,
   * since the browser would only repeat it.
   */
  allowDevices(): Promise<void>;
  /** Closes the summary and dials the same user again. */
  redial(): void;
}

interface Dependencies {
  readonly call: ActiveCall;
  readonly calling: Pick<
    CallingService,
    'capture' | 'dismissSummary' | 'hold' | 'resume' | 'retryDevices' | 'toggleScreenShare'
  >;
  readonly dialer: Pick<Dialer, 'dial'>;
  readonly dock: Pick<CallDock, 'dock'>;
  readonly dialogs: Pick<Dialogs, 'confirm'>;
  readonly permissions: Pick<DevicePermissions, 'of'>;
  readonly browser: BrowserKind;
  /** True while the panel of further actions is open. */
  readonly isMoreOpen: Store<boolean>;
  readonly controls: Pick<IdleVisibility, 'touch'>;
  readonly passing: Pick<PassingNotice, 'say'>;
  /** Moves the focus to the button of the panel. */
  focusMoreButton(): void;
  /** Moves the call into a room. */
  moveToRoom(): Promise<void>;
  /** Opens the call in a floating window. */
  float(): Promise<void>;
  /** Downloads the content of an address of this page. */
  save(url: string, name: string): void;
  openChat(party: CallParty): Promise<void>;
  /** Opens a sheet about the other user. */
  openSheet(about: AboutParty): void;
}

/** Creates the actions of the call screen for the present state of its call. */
export function createCallActions(outside: Dependencies): CallActions {
  const { call, calling, isMoreOpen, passing } = outside;
  const hasEnded = !isLive(call);

  function closeMore(): void {
    isMoreOpen.set(false);
    outside.focusMoreButton();
  }

  /** Docks the call, or dismisses its summary. */
  function leave(): void {
    if (hasEnded) calling.dismissSummary();
    else outside.dock.dock();
  }

  async function capture(): Promise<void> {
    const picture = await calling.capture();
    if (picture !== null) outside.save(picture, `${displayName(call.party)}.png`);
    passing.say(picture === null ? m.capture_failed() : m.capture_done());
  }

  return {
    toggleMore() {
      isMoreOpen.update((isOpen) => !isOpen);
    },
    closeMore,
    async doExtra(name) {
      closeMore();
      if (name === 'hold') return await (call.hold.here ? calling.resume() : calling.hold());
      if (name === 'room') return await outside.moveToRoom();
      if (name === 'screenShare') return await calling.toggleScreenShare();
      if (name === 'pictureInPicture') return await outside.float();
      if (name === 'capture') return await capture();
      leave();
      if (name === 'message') await outside.openChat(call.party);
      else outside.openSheet(name);
    },
    escape() {
      if (isMoreOpen.get()) closeMore();
      else if (hasEnded) calling.dismissSummary();
      else outside.controls.touch();
    },
    async allowDevices() {
      const denial = await denialOf(call.missing, outside.permissions);
      const isReady =
        denial === null ||
        denial === 'dismissed' ||
        (await outside.dialogs.confirm(permissionQuestion(denial, outside.browser)));
      if (isReady) await calling.retryDevices();
    },
    redial() {
      calling.dismissSummary();
      void outside.dialer.dial(call.party, call.kind);
    },
  };
}
