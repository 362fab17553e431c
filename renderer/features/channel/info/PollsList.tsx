import { useTexts } from '../../../i18n/index.ts'
import { useAppSelector } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Tag } from '../../../ui/Mark/Tag.tsx'
import { ItemRow } from './ItemRow.tsx'
import type { ListProps } from './MediaPanel.tsx'
import styles from '../Info.module.css'

/** Questions that were asked, newest first, with how many have answered. */
export function PollsList({ tab, labelledBy }: ListProps) {
  const t = useTexts('details')
  const live = useAppSelector((state) => state.entities.polls)
  const items = (tab.messages ?? []).flatMap((message) => {
    const poll = message.pollId === undefined ? undefined : (live[message.pollId] ?? tab.polls[message.pollId])
    return poll === undefined ? [] : [{ message, poll }]
  })
  if (items.length === 0) return null
  return (
    <ul className={styles['section']} aria-labelledby={labelledBy}>
      {items.map(({ message, poll }) => (
        <ItemRow
          key={message.id}
          message={message}
          tile={
            <span className={styles['itemTile']} aria-hidden="true">
              <Icon name="poll" size={17} />
            </span>
          }
          name={
            <div className="ellipsis" dir="auto">
              {poll.name}
            </div>
          }
          more={t('shelf.votes', { count: poll.voteCount })}
        >
          {poll.closed ? <Tag>{t('shelf.closed')}</Tag> : null}
        </ItemRow>
      ))}
    </ul>
  )
}
