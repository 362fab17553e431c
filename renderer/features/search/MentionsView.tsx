import { useRef, useState } from 'react'
import type { EngineClient } from '#shared/bridge/index.ts'
import { useTexts } from '../../i18n/index.ts'
import { useEngine, useWindow } from '../../store/hooks.ts'
import { Empty } from '../../ui/View/Empty.tsx'
import { Segments } from '../../ui/Choice/Segments.tsx'
import { FindField } from '../../ui/Field/FindField.tsx'
import { View } from '../../ui/View/View.tsx'
import { Invites } from '../browse/index.ts'
import { useInvites } from '../sidebar/index.ts'
import { Unanswered } from '../connection/index.ts'
import { MentionHits, MENTION_LISTS, type MentionList } from './results/MentionHits.tsx'
import { ReactedList } from './results/ReactedList.tsx'
import styles from './Search.module.css'

type Props = {
  /** Below 640 px: goes back to the channel list. */
  readonly onBack?: () => void
}

type Kind = MentionList | 'invites'

type Shown = { readonly kind: Kind; readonly text: string }
const FIRST: Shown = { kind: 'mentions', text: '' }

/** The last tab and text, stored outside the view so that they are restored on return. */
const left = new WeakMap<EngineClient, Shown>()

/** Mentions, replies, reactions and invitations of the viewer. Cached ones at once, then those from the server. */
export function MentionsView({ onBack }: Props) {
  const t = useTexts('unread')
  const common = useTexts('common')
  const engine = useEngine()
  const [{ kind, text }, setShown] = useState(() => left.get(engine) ?? FIRST)
  const invites = useInvites().length
  const unanswered = useWindow('channels')?.unanswered === true
  const field = useRef<HTMLInputElement>(null)
  const show = (next: Shown): void => {
    left.set(engine, next)
    setShown(next)
  }
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
            onChange={(next) => show({ kind: next, text })}
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
              onChange={(next) => show({ kind, text: next })}
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
