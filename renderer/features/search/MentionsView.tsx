import { useRef, useEffect, useSyncExternalStore } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useWindow, useConnection, useObject } from '../../store/hooks.ts'
import { MENTION_LISTS, mentionsFiltered, type MentionList } from '../../store/window/views.ts'
import { Empty } from '../../ui/View/Empty.tsx'
import { Segments } from '../../ui/Choice/Segments.tsx'
import { FindField } from '../../ui/Field/FindField.tsx'
import { View } from '../../ui/View/View.tsx'
import { useDelayed } from '../../lib/time/clocks.ts'
import { perAccount } from '../../store/objects.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Invites } from '../browse/index.ts'
import { useInvites } from '../sidebar/index.ts'
import { Unanswered, LoadingText, SKELETON_DELAY_MS } from '../connection/index.ts'
import { ReactedList } from './results/ReactedList.tsx'
import { HitList } from './results/HitList.tsx'
import { Results } from './results/results.ts'
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

/** Queries in filter syntax, which is valid in every language. */
const QUESTIONS: Readonly<Record<MentionList, string>> = {
  mentions: 'mentions:me',
  replies: 'is:reply',
  reactions: 'is:mine has:reaction',
}
const NONE = {
  mentions: { title: 'mentions.none', text: 'mentions.noneText' },
  replies: { title: 'mentions.noReplies', text: 'mentions.noRepliesText' },
  reactions: { title: 'mentions.noReactions', text: 'mentions.noReactionsText' },
} as const

/** Stored outside the view, so that the list and its position are restored on return. */
const LISTS = perAccount(({ engine }) => ({
  mentions: new Results(engine),
  replies: new Results(engine),
  reactions: new Results(engine),
}))

type MentionHitsProps = {
  readonly kind: MentionList
  /** Filters the list; empty shows all. */
  readonly text: string
  /** Arrow Up in the first row moves the focus to the field. */
  readonly onUp: () => void
}

/** The list of mentions, replies or reactions. */
function MentionHits({ kind, text: label, onUp }: MentionHitsProps) {
  const t = useTexts('unread')
  const results = useObject(LISTS)[kind]
  const found = useSyncExternalStore(results.subscribe, results.found)
  const { offline } = useConnection()
  const text = `${QUESTIONS[kind]} ${label.trimStart()}`.trim()
  const waiting = useDelayed(found.busy !== 'none' && found.hits.length === 0, SKELETON_DELAY_MS)
  useEffect(() => {
    const isNew = results.text() !== text
    results.ask({ text })
    // Loads what is new since the last visit, and results of the server once connected.
    if (!isNew && !offline) results.again()
  }, [results, text, offline])
  const isUnanswered = found.hits.length === 0 && found.busy === 'none' && (offline || found.server === 'unreachable')
  if (isUnanswered && offline) return <Unanswered part="messages" />
  if (found.error !== undefined || isUnanswered) {
    return (
      <Empty
        scene="offline"
        title={t('mentions.failed')}
        action={
          <Button variant="primary" onClick={() => results.again()}>
            {t('mentions.again')}
          </Button>
        }
      >
        {null}
      </Empty>
    )
  }
  if (found.hits.length > 0) {
    return (
      <div className={styles['panel']} data-mentions="">
        <HitList results={results} found={found} onUp={onUp} />
      </div>
    )
  }
  if (found.busy !== 'none')
    return waiting ? <LoadingText what={t('mentions.looking')} onRetry={() => results.again()} /> : null
  const isNarrowed = label.trim() !== ''
  return (
    <Empty
      scene={isNarrowed ? 'search' : 'chat'}
      title={isNarrowed ? t('mentions.noneFound', { query: label.trim() }) : t(NONE[kind].title)}
    >
      {isNarrowed ? t('mentions.noneFoundText') : t(NONE[kind].text)}
    </Empty>
  )
}
