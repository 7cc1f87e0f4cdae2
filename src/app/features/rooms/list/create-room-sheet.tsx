import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { RoomType } from '../../../../protocol/room-entities.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { RadioCards } from '../../../../ui/kit/choices.tsx';
import { TextField } from '../../../../ui/kit/text-field.tsx';
import { usePorts } from '../../../core/hooks/areas.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Modal } from '../../../ui/modal.tsx';
import { useCalling } from '../../calling/use-calling.ts';
import { ROOM_NAME_CHARACTERS, ROOM_NAME_ITEM } from '../room-name.ts';
import { TYPE_ORDER, TYPE_WORDS } from '../room-words.ts';
import styles from './rooms.module.css';

interface CreateRoomSheetProps {
  /** The type that is chosen at first. */
  type: RoomType;
  /** The user to invite into the new room. Null without one. */
  invitee: string | null;
  onClose(): void;
}

/** Creates a room, and opens its lobby. */
export function CreateRoomSheet({ type: first, invitee, onClose }: CreateRoomSheetProps) {
  const { calling } = useCalling();
  const { logger } = usePorts();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [type, setType] = useState<RoomType>(first);
  const [step, setStep] = useState<'ready' | 'busy' | 'failed'>('ready');

  async function create(): Promise<void> {
    if (step === 'busy') return;
    setStep('busy');
    try {
      const trimmed = name.trim();
      const room = await calling.library()?.createRoom({
        roomType: type,
        ...(trimmed !== '' && { customItems: { [ROOM_NAME_ITEM]: trimmed } }),
      });
      if (room === undefined) return setStep('failed');
      onClose();
      const path = `/rooms/${encodeURIComponent(room.roomId)}`;
      void navigate(invitee === null ? path : `${path}?invite=${encodeURIComponent(invitee)}`);
    } catch (error) {
      logger.warn('the room was not created', error);
      setStep('failed');
    }
  }

  return (
    <Modal label={m.rooms_create()} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <h2>{m.rooms_create()}</h2>
        <TextField
          label={m.rooms_name()}
          hint={m.rooms_name_hint()}
          optional={m.field_optional()}
          maxLength={ROOM_NAME_CHARACTERS}
          autoComplete="off"
          value={name}
          onChange={setName}
        />
        <RadioCards<RoomType>
          label={m.rooms_types()}
          options={TYPE_ORDER.map((value) => ({
            value,
            text: TYPE_WORDS[value].name(),
            hint: TYPE_WORDS[value].hint(),
          }))}
          value={type}
          onChange={setType}
        />
        <p role="alert" className={styles.failure}>
          {step === 'failed' && m.rooms_create_failed()}
        </p>
        <Button type="submit" look="primary" busy={step === 'busy'}>
          {m.rooms_create_go()}
        </Button>
      </form>
    </Modal>
  );
}
