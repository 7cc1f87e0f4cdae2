import { type ModalProps, Modal as KitModal } from '../../ui/kit/modal.tsx';
import { m } from '../core/i18n/generated/messages.js';

/** Shows a modal with the texts of the app. */
export function Modal(props: Omit<ModalProps, 'closeLabel'>) {
  return <KitModal {...props} closeLabel={m.person_close()} />;
}
