import { useState } from 'react';
import { REPORT_NOTE_CHARACTERS, type ReportReason } from '../../../protocol/product/safety.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { Button } from '../../../ui/kit/button.tsx';
import { RadioCards } from '../../../ui/kit/choices.tsx';
import { FormFailure } from '../../../ui/kit/form-failure.tsx';
import { Modal } from '../../ui/modal.tsx';
import { TextArea } from '../../ui/forms/text-area.tsx';
import { refusalText } from '../../core/product/refusal-text.ts';
import { useProductMutation } from '../../core/hooks/use-product.ts';
import { useUi } from '../../ui/use-ui.ts';
import styles from './report-sheet.module.css';

const reasons: Record<ReportReason, () => string> = {
  harassment: m.report_harassment,
  fake: m.report_fake,
  underage: m.report_underage,
  scam: m.report_scam,
  sexual: m.report_sexual,
  other: m.report_other,
};
const order = ['harassment', 'fake', 'underage', 'scam', 'sexual', 'other'] as const;

interface ReportSheetProps {
  uId: string;
  name: string;
  onClose(): void;
}

/** Reports a user to the platform. */
export function ReportSheet({ uId, name, onClose }: ReportSheetProps) {
  const { toasts } = useUi();
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [note, setNote] = useState('');
  const [missing, setMissing] = useState(false);
  const report = useProductMutation('report', {
    onSuccess() {
      toasts.show(m.report_done());
      onClose();
    },
  });
  const isLong = Array.from(note).length > REPORT_NOTE_CHARACTERS;

  return (
    <Modal label={m.report_title({ name })} onClose={onClose}>
      <form
        className={styles.sheet}
        onSubmit={(event) => {
          event.preventDefault();
          setMissing(reason === null);
          if (reason !== null && !isLong && !report.isPending) report.mutate({ body: { u_id: uId, reason, note } });
        }}
      >
        <h2>{m.report_title({ name })}</h2>
        <p>{m.report_hint()}</p>
        <RadioCards<ReportReason>
          label={m.report_reason()}
          options={order.map((value) => ({ value, text: reasons[value]() }))}
          value={reason}
          error={missing && reason === null ? m.report_reason_missing() : null}
          onChange={setReason}
        />
        <TextArea
          label={m.report_note()}
          optional={m.field_optional()}
          most={REPORT_NOTE_CHARACTERS}
          value={note}
          error={isLong ? m.field_too_long() : null}
          onChange={setNote}
        />
        <FormFailure words={report.error === null ? null : refusalText(report.error)} />
        <Button look="danger" type="submit" busy={report.isPending}>
          {m.report_send()}
        </Button>
      </form>
    </Modal>
  );
}
