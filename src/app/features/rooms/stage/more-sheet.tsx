import { MonitorUp, PictureInPicture2, Trash2 } from 'lucide-react';
import { Button } from '../../../../ui/kit/button.tsx';
import { m } from '../../../core/i18n/generated/messages.js';
import { Modal } from '../../../ui/modal.tsx';
import { useUi } from '../../../ui/use-ui.ts';
import { DeviceFields } from '../../devices/device-fields.tsx';
import { type RoomVisit, type VisitState, hasVideo, useDevices } from '../../../../react/index.ts';
import { canShareScreen } from './screen-share.ts';
import { ShareLink } from './share-link.tsx';
import styles from './sheets.module.css';

interface MoreSheetProps {
  visit: RoomVisit;
  state: VisitState;
  onFloat(): void;
  onClose(): void;
}

/** Shows the actions of the room that are not among its controls, and the choice of devices. */
export function MoreSheet({ visit, state, onFloat, onClose }: MoreSheetProps) {
  const { dialogs } = useUi();
  const { lists, choose } = useDevices();
  const isVideo = state.facts !== null && hasVideo(state.facts.type);

  async function remove(): Promise<void> {
    const question = { title: m.room_delete_title(), text: m.room_delete_text(), confirm: m.room_delete() };
    if (await dialogs.confirm({ ...question, isDangerous: true })) await visit.deleteRoom();
  }

  return (
    <Modal label={m.call_more()} onClose={onClose}>
      <div className={styles.sheet}>
        <h2>{m.call_more()}</h2>
        <div className={styles.actions}>
          {isVideo && canShareScreen() && (
            <Button
              busy={state.busy.includes('share')}
              onClick={() => {
                onClose();
                void visit.toggleScreenShare();
              }}
            >
              <MonitorUp aria-hidden="true" size={20} />
              {state.sharingScreen ? m.sharing_stop() : m.extra_share()}
            </Button>
          )}
          {isVideo && (
            <Button onClick={onFloat}>
              <PictureInPicture2 aria-hidden="true" size={20} />
              {m.extra_float()}
            </Button>
          )}
        </div>
        <DeviceFields
          lists={lists}
          camera={isVideo}
          speakerTest={null}
          onChoose={(kind, id) => void choose(kind, id)}
        />
        <ShareLink roomId={visit.roomId} />
        <Button look="danger" busy={state.busy.includes('delete')} onClick={() => void remove()}>
          <Trash2 aria-hidden="true" size={20} />
          {m.room_delete()}
        </Button>
      </div>
    </Modal>
  );
}
