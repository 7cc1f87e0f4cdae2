import { Heart, Phone, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton, LinkButton } from '../../../../ui/kit/button.tsx';
import { useUi } from '../../../ui/use-ui.ts';
import { Board } from './board.tsx';

export default function ButtonsBoard() {
  const { dialogs } = useUi();
  const [isLiked, setIsLiked] = useState(false);
  const [answer, setAnswer] = useState('');

  async function ask(): Promise<void> {
    const agreed = await dialogs.confirm({
      title: '要刪除這段對話嗎？',
      text: '刪除後無法復原。',
      confirm: '刪除',
      isDangerous: true,
    });
    setAnswer(agreed ? '已刪除' : '已保留');
  }

  return (
    <Board title="按鈕">
      <Button look="primary">儲存</Button>
      <Button>
        <Phone aria-hidden="true" />
        語音通話
      </Button>
      <Button look="primary" busy>
        儲存中
      </Button>
      <Button disabled>無法使用</Button>
      <Button look="plain">了解更多</Button>
      <LinkButton to="/home" look="quiet">
        回首頁
      </LinkButton>
      <Button look="danger" onClick={() => void ask()}>
        <Trash2 aria-hidden="true" />
        刪除對話
      </Button>
      <Button
        onClick={() => void dialogs.alert({ title: '部分功能可能無法使用', text: '建議改用 Safari 或 Chrome。' })}
      >
        顯示提示
      </Button>
      <p role="status">{answer}</p>
      <IconButton
        label="收藏"
        icon={<Heart aria-hidden="true" fill={isLiked ? 'currentColor' : 'none'} />}
        aria-pressed={isLiked}
        onClick={() => setIsLiked(!isLiked)}
      />
    </Board>
  );
}
