import type { Channel } from '#shared/domain/channel.ts'
import type { Poll } from '#shared/domain/poll.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useAppDispatch, useSession } from '../../store/hooks.ts'
import type { Dialogs } from '../../store/window/kinds.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { type MenuItem, useMenu } from '../../ui/Menu/Menu.tsx'
import { writeAbout } from './commands.ts'
import { useResultText } from './results.ts'
import styles from './PollCard.module.css'

type Props = {
  readonly poll: Poll
  readonly messageId: MessageId
  readonly channel: Channel
  /** The viewer may vote, and therefore suggest options and comment. */
  readonly open: boolean
}

/** Actions on a poll besides voting. */
export function PollActions({ poll, messageId, channel, open }: Props) {
  const t = useTexts('polls')
  const dispatch = useAppDispatch()
  const me = useSession().userId
  const mine = poll.createdBy === me
  const show = (what: Dialogs['of-poll']['what']): void =>
    void dispatch(dialogOpened({ kind: 'of-poll', what, cid: channel.cid, messageId, pollId: poll.id }))
  const button = (what: Dialogs['of-poll']['what'], label: string) => (
    <Button size="small" variant="quiet" aria-haspopup="dialog" onClick={() => show(what)}>
      {label}
    </Button>
  )
  const rules = mine || (channel.capabilities.length > 0 && may(channel, 'update-any-message'))
  const speaks = poll.allowAnswers === true && open
  return (
    <div className={cx(styles['actions'], rules && styles['roomForMore'])}>
      {open && (poll.allowSuggestions === true || mine) ? button('suggest', t(mine ? 'addOption' : 'suggest')) : null}
      {poll.answersCount > 0 ? button('answers', t('answers.count', { count: poll.answersCount })) : null}
      {speaks && poll.answersCount === 0 ? button('answers', t('answers.add')) : null}
      {button('results', t('results.view'))}
      {!poll.closed && mine ? button('close', t('close.action')) : null}
      {poll.changes === undefined ? null : button('changes', t('changes.action'))}
      {rules ? <More poll={poll} messageId={messageId} mine={mine} onShow={show} /> : null}
    </div>
  )
}

type MoreProps = Pick<Props, 'poll' | 'messageId'> & {
  readonly mine: boolean
  readonly onShow: (what: Dialogs['of-poll']['what']) => void
}

/** Less frequent actions, for the author and moderators. */
function More({ poll, messageId, mine, onShow }: MoreProps) {
  const t = useTexts('polls')
  const dispatch = useAppDispatch()
  const resultText = useResultText()
  const remove: MenuItem = {
    id: 'delete',
    icon: 'trash',
    danger: true,
    label: t('delete.action'),
    onSelect: () => onShow('delete'),
  }
  const { triggerProps, menu } = useMenu({
    label: t('moreActions'),
    items: () =>
      poll.closed
        ? [
            {
              id: 'tell',
              icon: 'megaphone',
              label: t('result.tell'),
              onSelect: () => dispatch(writeAbout({ messageId, text: resultText(poll) })),
            },
            remove,
          ]
        : [
            { id: 'edit', icon: 'pencil', label: t('edit.action'), onSelect: () => onShow('edit') },
            {
              id: 'remind',
              icon: 'bell',
              label: t('remind.action'),
              onSelect: () => onShow('remind'),
              disabledReason: poll.anonymous ? t('remind.anonymous') : undefined,
            },
            ...(mine
              ? []
              : [{ id: 'close', icon: 'lock' as const, label: t('close.action'), onSelect: () => onShow('close') }]),
            remove,
          ],
  })
  return (
    <span className={styles['more']}>
      <IconButton icon="more" size="small" label={t('moreActions')} {...triggerProps} />
      {menu}
    </span>
  )
}
