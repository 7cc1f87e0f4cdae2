import { InstallRow } from '../../../features/pwa/install-row.tsx';
import { Board } from './board.tsx';

export default function InstallBoard() {
  return (
    <Board title="安裝">
      <InstallRow />
    </Board>
  );
}
