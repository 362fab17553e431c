import { useCallback } from 'react'
import { type Cid, type UserId, asCid, asUserId } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { fold } from '../../../lib/text/fold.ts'
import { useAppStore, useChannel } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { MenuPill, PillOn, PopoverPill } from '../../../ui/Mark/Pill.tsx'
import { Portrait, selectName, useName } from '../../people/index.ts'
import { FindList, type Found } from '../FindList.tsx'
import { KINDS, type Kind } from './words.tsx'

const DATES = ['any', 'today', 'week', 'month'] as const

export type Choice = {
  readonly by?: UserId
  readonly target?: UserId
  readonly place?: Cid
  readonly kind: Kind | 'all'
  readonly date: (typeof DATES)[number]
}

export const NO_CHOICE: Choice = { kind: 'all', date: 'any' }

type Props = { readonly choice: Choice; readonly onChange: (choice: Choice) => void }

/** Narrows the history: who, what, about whom, where, when. */
export function Filters({ choice, onChange }: Props) {
  const t = useTexts('history')
  const change = (more: Partial<Choice>): void => {
    const next = { ...choice, ...more }
    const isNone =
      next.kind === 'all' &&
      next.date === 'any' &&
      [next.by, next.target, next.place].every((value) => value === undefined)
    onChange(isNone ? NO_CHOICE : next)
  }
  const kinds = ['all', ...Object.keys(KINDS)] as (Kind | 'all')[]
  return (
    <>
      <PersonPill text={t('who')} chosen={choice.by} onChange={(by) => change({ by })} />
      {choice.kind === 'all' ? (
        <MenuPill
          icon="filter"
          text={t('what')}
          items={() =>
            kinds.map((kind) => ({
              id: kind,
              label: t(`kinds.${kind}`),
              checked: kind === choice.kind,
              onSelect: () => change({ kind }),
            }))
          }
        />
      ) : (
        <PillOn
          text={t(`kinds.${choice.kind}`)}
          label={t('remove', { name: t(`kinds.${choice.kind}`) })}
          onRemove={() => change({ kind: 'all' })}
        />
      )}
      <PersonPill text={t('whom')} chosen={choice.target} onChange={(target) => change({ target })} />
      <ChannelPill chosen={choice.place} onChange={(place) => change({ place })} />
      {choice.date === 'any' ? (
        <MenuPill
          icon="calendar"
          text={t('when')}
          items={() =>
            DATES.map((date) => ({
              id: date,
              label: t(`dates.${date}`),
              checked: date === choice.date,
              onSelect: () => change({ date }),
            }))
          }
        />
      ) : (
        <PillOn
          text={t(`dates.${choice.date}`)}
          label={t('remove', { name: t(`dates.${choice.date}`) })}
          onRemove={() => change({ date: 'any' })}
        />
      )}
    </>
  )
}

const SHOWN = 20

type PersonProps = {
  readonly text: string
  readonly chosen: UserId | undefined
  readonly onChange: (userId: UserId | undefined) => void
}

function PersonPill({ text, chosen, onChange }: PersonProps) {
  const t = useTexts('history')
  const store = useAppStore()
  const name = useName(chosen ?? '')
  const find = useCallback(
    (query: string): readonly Found[] => {
      const state = store.getState()
      const people = Object.keys(state.entities.users).map((id) => ({ id, name: selectName(state, id) }))
      return matching(people, query)
    },
    [store],
  )
  if (chosen !== undefined) {
    return (
      <PillOn
        sign={<Portrait userId={chosen} size={18} />}
        text={name}
        label={t('remove', { name })}
        onRemove={() => onChange(undefined)}
      />
    )
  }
  return (
    <PopoverPill icon="user" text={text}>
      {(close) => (
        <FindList
          label={text}
          find={find}
          renderSign={(id) => <Portrait userId={id} size={20} />}
          searching={t('searching')}
          nothing={t('nobody')}
          onChoose={({ id }) => {
            onChange(asUserId(id))
            close()
          }}
        />
      )}
    </PopoverPill>
  )
}

type ChannelProps = { readonly chosen: Cid | undefined; readonly onChange: (cid: Cid | undefined) => void }

function ChannelPill({ chosen, onChange }: ChannelProps) {
  const t = useTexts('history')
  const store = useAppStore()
  const name = useChannel(chosen ?? '')?.name ?? chosen ?? ''
  const find = useCallback(
    (query: string): readonly Found[] => {
      const channels = Object.values(store.getState().entities.channels)
      const named = channels.filter((channel) => channel.name !== '')
      return matching(
        named.map(({ cid: id, name: shown }) => ({ id, name: shown })),
        query,
      )
    },
    [store],
  )
  if (chosen !== undefined) {
    return (
      <PillOn
        sign={<Icon name="hash" size={14} />}
        text={name}
        label={t('remove', { name })}
        onRemove={() => onChange(undefined)}
      />
    )
  }
  return (
    <PopoverPill icon="hash" text={t('where')}>
      {(close) => (
        <FindList
          label={t('where')}
          find={find}
          renderSign={() => <Icon name="hash" size={16} />}
          searching={t('searching')}
          nothing={t('nothing')}
          onChoose={({ id }) => {
            onChange(asCid(id))
            close()
          }}
        />
      )}
    </PopoverPill>
  )
}

function matching(all: readonly Found[], query: string): readonly Found[] {
  const wanted = fold(query)
  return all.filter(({ name }) => fold(name).includes(wanted)).slice(0, SHOWN)
}
