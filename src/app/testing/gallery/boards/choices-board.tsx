import { useState } from 'react';
import { Chips, RadioCards, Slider, Switch } from '../../../../ui/kit/choices.tsx';
import { Segments } from '../../../../ui/kit/segments.tsx';
import { Board } from './board.tsx';

export default function ChoicesBoard() {
  const [isOnline, setIsOnline] = useState(true);
  const [pay, setPay] = useState<'card' | 'store' | 'linepay' | null>(null);
  const [tags, setTags] = useState<readonly string[]>(['music']);
  const [price, setPrice] = useState(40);
  const [range, setRange] = useState('week');
  return (
    <Board title="選擇">
      <Switch label="接聽中" hint="關閉後不會收到來電" checked={isOnline} onChange={setIsOnline} />
      <RadioCards
        label="付款方式"
        value={pay}
        onChange={(chosen) => setPay(chosen)}
        error={pay === null ? '請選一種付款方式' : null}
        options={[
          { value: 'card', text: '信用卡', hint: '立即入帳' },
          { value: 'store', text: '超商代碼', hint: '24 小時內繳費' },
          { value: 'linepay', text: 'LINE Pay', disabled: true },
        ]}
      />
      <Chips
        label="興趣"
        chosen={tags}
        most={2}
        onChange={setTags}
        options={[
          { value: 'music', text: '音樂' },
          { value: 'film', text: '電影' },
          { value: 'food', text: '美食' },
        ]}
      />
      <Slider label="每分鐘最高" min={10} max={120} step={10} value={price} text={`${price} 幣`} onChange={setPrice} />
      <Segments
        label="期間"
        value={range}
        onChange={setRange}
        options={[
          { value: 'day', text: '今日' },
          { value: 'week', text: '7 日' },
          { value: 'month', text: '30 日' },
        ]}
      />
    </Board>
  );
}
