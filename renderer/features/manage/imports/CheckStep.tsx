import { useState } from 'react'
import type {
  ChannelTarget,
  CheckedChannel,
  CheckedPerson,
  ImportCheck,
  ImportFigures,
  PersonTarget,
} from '#shared/domain/imports.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { Avatar } from '../../../ui/Avatar/Avatar.tsx'
import { Button } from '../../../ui/Button/Button.tsx'
import { Checkbox } from '../../../ui/Table/Table.tsx'
import { Select } from '../../../ui/Choice/Choice.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { closeImport, startImport, type Import } from './commands.ts'
import { LeftList, Notice, StepHeading } from './Steps.tsx'
import styles from './Imports.module.css'

type Props = { readonly importing: Import; readonly check: ImportCheck }

/** Rows that are shown before one asks for more. */
const FIRST = 6
const MORE = 40

/** What would come and what would not, who everyone is here, and where each channel goes. */
export function CheckStep({ importing, check }: Props) {
  const t = useTexts('imports')
  const errorText = useErrorText()
  const { figures } = check
  const choices = useChoices()
  const { error } = importing
  return (
    <div className={styles['wizard']}>
      <div className={styles['scroll']} data-region="messages">
        <div className={styles['column']}>
          <StepHeading>{t('check.title')}</StepHeading>
          <p className={styles['lead']}>{t('check.lead')}</p>
          {figures.known === 0 ? null : <p className={styles['lead']}>{t('check.known', { count: figures.known })}</p>}
          {error === undefined ? null : <Notice icon="alert-circle" tone="error" title={errorText(error)} text="" />}
          <Figures figures={figures} />
          <div className={styles['two']}>
            <section aria-label={t('check.comes')}>
              <h3>{t('check.comes')}</h3>
              <Comes figures={figures} />
            </section>
            <section aria-label={t('check.out')}>
              <h3>{t('check.out')}</h3>
              <LeftList left={check.left} />
            </section>
            <People check={check} choices={choices} />
            <Channels check={check} choices={choices} />
          </div>
        </div>
      </div>
      <Foot importing={importing} check={check} choices={choices} />
    </div>
  )
}

type Choices = {
  readonly people: ReadonlyMap<string, PersonTarget>
  readonly channels: ReadonlyMap<string, ChannelTarget>
  readonly setPerson: (id: string, target: PersonTarget) => void
  readonly setChannel: (id: string, target: ChannelTarget) => void
}

/** What the user has chosen otherwise than the check. */
function useChoices(): Choices {
  const [people, setPeople] = useState<ReadonlyMap<string, PersonTarget>>(new Map())
  const [channels, setChannels] = useState<ReadonlyMap<string, ChannelTarget>>(new Map())
  return {
    people,
    channels,
    setPerson: (id, target) => setPeople((before) => new Map([...before, [id, target]])),
    setChannel: (id, target) => setChannels((before) => new Map([...before, [id, target]])),
  }
}

function Figures({ figures }: { readonly figures: ImportFigures }) {
  const t = useTexts('imports')
  const formats = useFormats()
  const { messages, channels, people, files, fileBytes, from, until } = figures
  return (
    <dl className={styles['figures']}>
      <Figure value={formats.number(messages)} label={t('check.messages', { count: messages })} />
      <Figure value={formats.number(channels)} label={t('check.channels', { count: channels })} />
      <Figure value={formats.number(people)} label={t('check.people', { count: people })} />
      <Figure
        value={formats.number(files)}
        label={t('check.files', { count: files, size: formats.bytes(fileBytes) })}
      />
      {from === undefined || until === undefined ? null : (
        <Figure value={formats.monthYear(from)} label={t('check.until', { date: formats.date(until, 0) })} />
      )}
    </dl>
  )
}

const Figure = ({ value, label }: { readonly value: string; readonly label: string }) => (
  <div>
    <dd>{value}</dd>
    <dt>{label}</dt>
  </div>
)

function Comes({ figures }: { readonly figures: ImportFigures }) {
  const t = useTexts('imports')
  const formats = useFormats()
  return (
    <ul className={styles['lines']} data-tone="good">
      {(['messages', 'replies', 'reactions', 'files', 'pins'] as const).map((kind) => (
        <li key={kind}>
          <Icon name="check" size={16} />
          <span>{t(`comes.${kind}`)}</span>
          <span className={styles['number']}>{formats.number(figures[kind])}</span>
        </li>
      ))}
    </ul>
  )
}

type ListProps = { readonly check: ImportCheck; readonly choices: Choices }

function People({ check, choices }: ListProps) {
  const t = useTexts('imports')
  const [shown, setShown] = useState(FIRST)
  const { people } = check
  const found = people.filter(({ by }) => by !== undefined).length
  const fact = t('people.fact', { found, rest: people.length - found })
  return (
    <section aria-label={t('people.title')}>
      <ListHead title={t('people.title')} fact={fact} />
      <ul className={styles['rows']}>
        {people.slice(0, shown).map((person) => (
          <PersonRow key={person.id} person={person} check={check} choices={choices} />
        ))}
      </ul>
      <More
        rest={people.length - shown}
        text={(count) => t('check.showPeople', { count })}
        isCut={check.figures.people > people.length}
        onMore={() => setShown(shown + MORE)}
      />
    </section>
  )
}

const ListHead = ({ title, fact }: { readonly title: string; readonly fact: string }) => (
  <div className={styles['listHead']}>
    <h3>{title}</h3>
    <span className={styles['faint']}>{fact}</span>
  </div>
)

type MoreProps = {
  readonly rest: number
  readonly text: (count: number) => string
  /** There are even more than the check lists. */
  readonly isCut: boolean
  readonly onMore: () => void
}

function More({ rest, text, isCut, onMore }: MoreProps) {
  const t = useTexts('imports')
  if (rest > 0) {
    return (
      <Button size="small" variant="link" onClick={onMore}>
        {text(Math.min(rest, MORE))}
      </Button>
    )
  }
  return isCut ? <p className={styles['faint']}>{t('check.beyond')}</p> : null
}

type PersonRowProps = ListProps & { readonly person: CheckedPerson }

function PersonRow({ person, check, choices }: PersonRowProps) {
  const t = useTexts('imports')
  const { id, name, messages, former, by } = person
  const target = choices.people.get(id) ?? person.target
  const value = typeof target === 'object' ? `user ${target.userId}` : target
  const { people } = check.here
  const isListed = typeof target !== 'object' || people.some(({ userId }) => userId === target.userId)
  return (
    <li className={styles['row']}>
      <span className={styles['who']}>
        <Avatar id={id} name={name} size={24} />
        <span className={styles['names']}>
          <b className="ellipsis">{name}</b>
          <span className={styles['count']}>
            {former ? t('people.left') : t('people.messages', { count: messages })}
          </span>
          {(by === 'name' || by === 'email') && target === person.target ? (
            <span className={styles['count']}>{t(`people.by.${by}`)}</span>
          ) : null}
        </span>
      </span>
      <Icon name="arrow-right" size={15} />
      <Select
        label={t('people.target', { name })}
        value={value}
        choices={[
          { value: 'new', label: t('people.new') },
          { value: 'former', label: t('people.former') },
          ...people.map(({ userId, name: label }) => ({ value: `user ${userId}`, label })),
          ...(isListed ? [] : [{ value, label: value.slice('user '.length) }]),
        ]}
        onChange={(chosen) =>
          choices.setPerson(
            id,
            chosen === 'new' || chosen === 'former' ? chosen : { userId: asUserId(chosen.slice('user '.length)) },
          )
        }
      />
    </li>
  )
}

function Channels({ check, choices }: ListProps) {
  const t = useTexts('imports')
  const [shown, setShown] = useState(FIRST)
  const { channels, figures } = check
  const left = channels.filter((channel) => targetOf(channel, choices) === 'skip').length
  return (
    <section aria-label={t('channels.title')}>
      <ListHead
        title={t('channels.title')}
        fact={t('channels.fact', { chosen: figures.channels - left, all: figures.channels })}
      />
      <ul className={styles['rows']}>
        {channels.slice(0, shown).map((channel) => (
          <ChannelRow key={channel.id} channel={channel} check={check} choices={choices} />
        ))}
      </ul>
      <More
        rest={channels.length - shown}
        text={(count) => t('check.showChannels', { count })}
        isCut={figures.channels > channels.length}
        onMore={() => setShown(shown + MORE)}
      />
    </section>
  )
}

const targetOf = (channel: CheckedChannel, choices: Choices): ChannelTarget =>
  choices.channels.get(channel.id) ?? channel.target

type ChannelRowProps = ListProps & { readonly channel: CheckedChannel }

function ChannelRow({ channel, check, choices }: ChannelRowProps) {
  const t = useTexts('imports')
  const formats = useFormats()
  const { id, name, kind, messages } = channel
  const target = targetOf(channel, choices)
  const isIn = target !== 'skip'
  return (
    <li className={styles['row']}>
      <span className={styles['who']}>
        <Checkbox
          label={t('channels.import', { name })}
          checked={isIn}
          onChange={(on) => choices.setChannel(id, on ? (channel.target === 'skip' ? 'new' : channel.target) : 'skip')}
        />
        <Icon name={kind === 'public' ? 'hash' : kind === 'private' ? 'lock' : 'chat'} size={16} />
        <b className="ellipsis">{name}</b>
        <span className={styles['count']}>{formats.number(messages)}</span>
      </span>
      <Icon name="arrow-right" size={15} />
      {isIn ? (
        <ChannelSelect
          channel={channel}
          target={target}
          check={check}
          onChange={(next) => choices.setChannel(id, next)}
        />
      ) : (
        <span className={styles['faint']}>{t('channels.skip')}</span>
      )}
    </li>
  )
}

type ChannelSelectProps = {
  readonly channel: CheckedChannel
  readonly target: Exclude<ChannelTarget, 'skip'>
  readonly check: ImportCheck
  readonly onChange: (target: ChannelTarget) => void
}

function ChannelSelect({ channel: { name, kind }, target, check, onChange }: ChannelSelectProps) {
  const t = useTexts('imports')
  const { channels } = check.here
  const value = typeof target === 'object' ? target.cid : target
  const isListed = typeof target !== 'object' || channels.some(({ cid }) => cid === target.cid)
  const title = kind === 'public' ? `#${name}` : name
  return (
    <Select<string>
      label={t('channels.target', { name })}
      value={value}
      choices={[
        { value: 'new', label: kind === 'direct' ? t('channels.direct') : t('channels.new', { name: title }) },
        ...channels.map(({ cid, name: label }) => ({ value: cid, label: t('channels.add', { name: `#${label}` }) })),
        ...(isListed ? [] : [{ value, label: t('channels.add', { name: title }) }]),
      ]}
      onChange={(chosen) => onChange(chosen === 'new' ? 'new' : { cid: asCid(chosen) })}
    />
  )
}

/** How many messages the choices leave to be added. */
function countFor({ figures, channels }: ImportCheck, choices: Choices): number {
  const out = channels
    .filter((channel) => targetOf(channel, choices) === 'skip')
    .reduce((sum, { messages, known }) => sum + messages - known, 0)
  return figures.messages - figures.known - out
}

function Foot({ importing, check, choices }: Props & { readonly choices: Choices }) {
  const t = useTexts('imports')
  const formats = useFormats()
  const { neededBytes, freeBytes } = check
  const count = countFor(check, choices)
  const isShort = neededBytes > freeBytes
  const start = (): void => {
    if (isShort || count === 0) return
    const people = [...choices.people].map(([id, target]) => ({ id, target }))
    const channels = [...choices.channels].map(([id, target]) => ({ id, target }))
    void importing.run(startImport({ people, channels }))
  }
  return (
    <footer className={styles['foot']}>
      <span className={styles['space']}>
        {t(isShort ? 'foot.short' : 'foot.needs', {
          needed: formats.bytes(neededBytes),
          free: formats.bytes(freeBytes),
        })}
      </span>
      <span className={styles['ways']}>
        <Button onClick={() => void importing.run(closeImport())}>{t('foot.back')}</Button>
        <Button
          variant="primary"
          working={importing.working}
          aria-disabled={isShort || count === 0 || undefined}
          onClick={start}
        >
          {t('foot.import', { count })}
        </Button>
      </span>
    </footer>
  )
}
