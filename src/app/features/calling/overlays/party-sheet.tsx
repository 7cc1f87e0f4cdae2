import type { CallParty } from '../../../../react/index.ts';
import { displayName } from '../call-state.ts';
import { DataArea } from '../../../ui/data/data-area.tsx';
import { GiftSheet } from '../../gifts/gift-sheet.tsx';
import { ReportSheet } from '../../people/report-sheet.tsx';

/** An action about the other user of a call. */
export type AboutParty = 'gift' | 'report';

interface PartySheetProps {
  about: AboutParty;
  party: CallParty;
  onClose(): void;
}

/** Shows the sheet of an action during a docked call or after a call. */
export function PartySheet({ about, party, onClose }: PartySheetProps) {
  const name = displayName(party);
  return (
    <DataArea>
      {about === 'gift' ? (
        <GiftSheet to={party.userId} name={name} onClose={onClose} />
      ) : (
        <ReportSheet uId={party.userId} name={name} onClose={onClose} />
      )}
    </DataArea>
  );
}
