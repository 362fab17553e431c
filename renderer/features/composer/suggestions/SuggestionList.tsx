import type { BroadcastMention } from '#shared/domain/message.ts'
import type { ChannelCommand, CommandBar } from '#shared/rules/composer/commands.ts'
import { optionPress } from '../../../lib/page/focus.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useSettledChannel } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Keys } from '../../../ui/Keys/Keys.tsx'
import { EmojiGlyph } from '../../emoji/index.ts'
import { UserAvatar } from '../../people/index.ts'
import { useTitle, isDirect } from '../selectors.ts'
import type { Part } from './matching.ts'
import { useCommandTexts } from '../send/own-commands.ts'
import { optionId } from '../field/Field.tsx'
import type { Suggestion, Suggestions } from './use-suggestions.ts'
import styles from './SuggestionList.module.css'

type Props = { readonly id: string; readonly cid: string; readonly suggestions: Suggestions }

/** The floating list of suggestions. Focus stays in the text field, whose `aria-activedescendant` is the selected row. */
export function SuggestionList({ id, cid, suggestions }: Props) {
  const t = useTexts('composer')
  const emoji = useTexts('emoji')
  const channel = useSettledChannel(cid)
  const name = useTitle(cid)
  const { items, kind, selected, select, take } = suggestions
  const people = channel === undefined || isDirect(channel) ? t('people') : t('peopleIn', { name })
  const titles = {
    emoji: emoji('title'),
    command: t('commands.title'),
    snippet: t('snippets.title'),
    mention: people,
    channel: t('channels'),
    language: t('codeLanguage'),
  }
  const title = titles[kind ?? 'mention']
  return (
    <div className={styles['popup']} data-kind={kind}>
      <div className={styles['head']} aria-hidden="true">
        <span className="ellipsis">{title}</span>
        <span className={styles['keys']}>
          <Keys keys={['↑', '↓']} />
          <Keys keys={['Tab']} />
        </span>
      </div>
      <div id={id} role="listbox" aria-label={title} className={styles['list']}>
        {items.map((item, index) => (
          <div
            key={item.id}
            id={optionId(id, index)}
            role="option"
            aria-selected={index === selected}
            aria-disabled={(item.kind === 'command' && item.bar !== undefined) || undefined}
            tabIndex={-1}
            className={styles['option']}
            onPointerMove={() => index !== selected && select(index)}
            {...optionPress(() => take(index))}
          >
            <Row item={item} notHere={t('notHere')} />
          </div>
        ))}
      </div>
    </div>
  )
}

function Row({ item, notHere }: { readonly item: Suggestion; readonly notHere: string }) {
  if (item.kind === 'emoji') {
    return (
      <>
        <span className={styles['emoji']}>
          <EmojiGlyph text={item.insert.trim()} />
        </span>
        <span className={styles['name']}>:{item.emoji.names[0] ?? item.emoji.label}:</span>
        <span className={styles['more']}>{item.emoji.label}</span>
      </>
    )
  }
  if (item.kind === 'broadcast') return <BroadcastRow broadcast={item.broadcast} />
  if (item.kind === 'command') return <CommandRow command={item.command} bar={item.bar} />
  if (item.kind === 'channel') {
    return (
      <>
        <Icon name={item.isPrivate ? 'lock' : 'hash'} size={16} />
        <span className={styles['name']}>{item.name}</span>
      </>
    )
  }
  if (item.kind === 'snippet') {
    return (
      <>
        <span className={styles['name']}>;;{item.name}</span>
        <span className={styles['more']}>{item.insert}</span>
      </>
    )
  }
  if (item.kind === 'language') {
    return (
      <>
        <span className={styles['name']}>{item.label}</span>
        <span className={styles['more']}>{item.name}</span>
      </>
    )
  }
  const { person, name, id } = item.match
  return (
    <>
      <UserAvatar userId={person.id} size={24} showPresence />
      <span className={styles['name']}>
        <Parts parts={name} />
      </span>
      <span className={styles['more']}>{person.inChannel ? <Parts parts={id} /> : notHere}</span>
    </>
  )
}

function BroadcastRow({ broadcast }: { readonly broadcast: BroadcastMention }) {
  const t = useTexts('composer')
  return (
    <>
      <span className={styles['all']}>
        <Icon name="megaphone" size={16} />
      </span>
      <span className={styles['name']}>
        <bdi dir="ltr">@{broadcast}</bdi>
      </span>
      <span className={styles['more']}>{t(`calls.hint.${broadcast}`)}</span>
    </>
  )
}

function CommandRow({ command, bar }: { readonly command: ChannelCommand; readonly bar: CommandBar | undefined }) {
  const t = useTexts('composer')
  const text = useCommandTexts()
  return (
    <>
      <span className={styles['name']}>
        <bdi dir="ltr">{`/${command.name} ${command.args}`.trim()}</bdi>
      </span>
      <span className={styles['more']}>{bar === undefined ? text(command) : t(`commands.why.${bar}`)}</span>
    </>
  )
}

const Parts = ({ parts }: { readonly parts: readonly Part[] }) =>
  parts.map(({ text, hit }, index) => (hit ? <b key={index}>{text}</b> : <span key={index}>{text}</span>))
