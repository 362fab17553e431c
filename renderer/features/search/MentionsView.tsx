import { useRef } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useWindow } from '../../store/hooks.ts'
import { MENTION_LISTS, mentionsFiltered } from '../../store/window/views.ts'
import { Empty } from '../../ui/View/Empty.tsx'
import { Segments } from '../../ui/Choice/Segments.tsx'
import { FindField } from '../../ui/Field/FindField.tsx'
import { View } from '../../ui/View/View.tsx'
import { Invites } from '../browse/index.ts'
import { useInvites } from '../sidebar/index.ts'
import { Unanswered } from '../connection/index.ts'
import { MentionHits } from './results/MentionHits.tsx'
import { ReactedList } from './results/ReactedList.tsx'
import styles from './Search.module.css'

type Props = {
  /** Below 640 px: goes back to the channel list. */
  readonly onBack?: () => void
}

/** Mentions, replies, reactions and invitations of the viewer. Cached ones at once, then those from the server. */
export function MentionsView({ onBack }: Props) {
  const t = useTexts('unread')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { kind, text } = useAppSelector(({ views }) => views.mentions)
  const invites = useInvites().length
  const unanswered = useWindow('channels')?.unanswered === true
  const field = useRef<HTMLInputElement>(null)
  const toField = (): void => field.current?.focus()
  return (
    <View
      icon="at"
      title={t('mentions.title')}
      subtitle={t('mentions.subtitle')}
      back={onBack === undefined ? undefined : { label: common('back'), onPress: onBack }}
      banner={
        <div className={styles['kinds']}>
          <Segments
            label={t('mentions.show')}
            value={kind}
            onChange={(next) => dispatch(mentionsFiltered({ kind: next }))}
            choices={[
              ...MENTION_LISTS.map((value) => ({ value, label: t(`mentions.${value}`) })),
              {
                value: 'invites',
                label: t('mentions.invites'),
                count: { value: invites, name: t('mentions.invitesOf', { count: invites }) },
              },
            ]}
          />
          {kind === 'invites' ? null : (
            <FindField
              ref={field}
              label={t('mentions.find')}
              value={text}
              onChange={(next) => dispatch(mentionsFiltered({ text: next }))}
              list="[data-mentions]"
              maxLength={400}
            />
          )}
        </div>
      }
    >
      {kind === 'invites' ? (
        invites === 0 && unanswered ? (
          <Unanswered part="channels" />
        ) : invites === 0 ? (
          <Empty scene="chat" title={t('mentions.noInvites')}>
            {t('mentions.noInvitesText')}
          </Empty>
        ) : (
          <div className={styles['view']}>
            <Invites />
          </div>
        )
      ) : kind === 'reactions' && text.trim() === '' ? (
        <ReactedList />
      ) : (
        <MentionHits key={kind} kind={kind} text={text} onUp={toField} />
      )}
    </View>
  )
}
