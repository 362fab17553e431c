import { useEffect, useId, useMemo, useState } from 'react'
import type { Segment, SegmentKind, SegmentMember, SegmentReason } from '#shared/domain/manage/segments.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import { Portrait } from '../../people/index.ts'
import { FindList } from '../FindList.tsx'
import { useLoaded } from '../loading.ts'
import { useTopic, useManage } from '../state.ts'
import {
  addTargets,
  findMembers,
  loadMembers,
  loadMembership,
  removeTargets,
  countMembers,
  isChanged,
  type Draft,
} from './drafts.ts'
import { useConditionText } from './ConditionValue.tsx'
import styles from './Segments.module.css'

type Props = {
  readonly segment: Segment
  /** The last filter that was one, as JSON. */
  readonly filter: string
  /** It is the one that is stored. */
  readonly isStored: boolean
  /** What is typed now is no filter. */
  readonly isWrong: boolean
}

/** After the last change of the filter. */
const PAUSE_MS = 300

/** How many are in it, whether this person is, and the first fifty with why. */
export function Who({ segment, draft }: { readonly segment: Segment; readonly draft: Draft }) {
  const t = useTexts('segments')
  const filter = draft.valid
  return (
    <section className={styles['who']} aria-label={t('tabs.who')}>
      <Size
        segment={segment}
        filter={filter}
        isStored={!isChanged(draft, segment)}
        isWrong={draft.problem !== undefined}
      />
      <Someone segment={segment} filter={filter} />
      <FirstMembers segment={segment} filter={filter} />
    </section>
  )
}

function Size({ segment, filter, isStored, isWrong }: Props) {
  const t = useTexts('segments')
  const errorText = useErrorText()
  const formats = useFormats()
  const { kind, all, size } = segment
  const { count, isWhole, isCounting, error, goOn } = useCount({ kind, filter, all }, !isStored && !isWrong)
  if (all && kind === 'channel') return <p className={styles['note']}>{t('size.ofSender')}</p>
  if (isStored) {
    return (
      <p className={styles['size']} role="status">
        <b>{formats.number(size)}</b> {t(`size.${kind}`, { count: size })}
      </p>
    )
  }
  if (isWrong) {
    return (
      <div className={styles['counted']}>
        <p className={styles['size']} role="status">
          {t('size.wrong')}
        </p>
        <p className={styles['hint']}>{t('size.last', { count: size })}</p>
      </div>
    )
  }
  return (
    <div className={styles['counted']}>
      <p className={styles['size']} role="status">
        {count === undefined ? null : <b>{t(isWhole ? 'size.exact' : 'size.atLeast', { count })}</b>}{' '}
        {count === undefined ? t('size.counting') : t(`size.match.${kind}`, { count })}
      </p>
      <p className={styles['hint']}>
        {isCounting && count !== undefined ? `${t('size.counting')} ` : ''}
        {t('size.last', { count: size })} {t('size.byHandToo')}
      </p>
      {error === undefined ? null : <p className={styles['refusal']}>{errorText(error)}</p>}
      {!isCounting && !isWhole && count !== undefined ? (
        <Button size="small" onClick={goOn}>
          {t('size.countAll')}
        </Button>
      ) : null}
    </div>
  )
}

type PartProps = Pick<Props, 'segment' | 'filter'>

/** Whether one person or channel is in it, and why or why not. */
function Someone({ segment, filter }: PartProps) {
  const t = useTexts('segments')
  const dispatch = useAppDispatch()
  const { kind } = segment
  const [chosen, setChosen] = useState<SegmentMember>()
  const [finding, setFinding] = useState(false)
  const find = useMemo(
    () => async (text: string) => {
      const found = await dispatch(findMembers({ kind, text }))
      return found.ok ? found.value : []
    },
    [dispatch, kind],
  )
  return (
    <div className={styles['someone']}>
      <Button size="small" icon="search" aria-expanded={finding} onClick={() => setFinding(!finding)}>
        {t(`someone.open.${kind}`)}
      </Button>
      {finding ? (
        <FindList
          label={t(`someone.find.${kind}`)}
          find={find}
          renderSign={(id) => <Sign kind={kind} id={id} size={22} />}
          searching={t('searching')}
          nothing={t('nobodyFound')}
          onChoose={({ id, name }) => {
            setChosen({ id, name })
            setFinding(false)
          }}
        />
      ) : null}
      {chosen === undefined ? null : <Membership key={chosen.id} segment={segment} filter={filter} member={chosen} />}
    </div>
  )
}

function Membership({ segment, filter, member }: PartProps & { readonly member: SegmentMember }) {
  const t = useTexts('segments')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const reasonText = useReasonText(segment.kind)
  const conditionText = useConditionText(segment.kind)
  const { id, kind, all } = segment
  const load = useMemo(
    () => loadMembership({ id, kind, filter, all, targetId: member.id }),
    [id, kind, filter, all, member.id],
  )
  const { value, error } = useLoaded(load, useTopic('segments'), PAUSE_MS)
  const [failure, setFailure] = useState<string>()
  const isByHand = value?.in === true && value.reason.kind === 'byHand'
  const text =
    value === undefined
      ? undefined
      : value.in
        ? t('someone.in', { name: member.name })
        : t('someone.out', { name: member.name })
  useEffect(() => {
    if (text !== undefined) announce(text)
  }, [text])
  const change = async (): Promise<void> => {
    if (offline) return
    const input = { id, targetIds: [member.id] }
    const done = await dispatch(isByHand ? removeTargets(input) : addTargets(input))
    setFailure(done.ok ? undefined : errorText(done.error))
  }
  if (value === undefined) return error === undefined ? null : <p className={styles['refusal']}>{errorText(error)}</p>
  return (
    <div className={styles['membership']}>
      <Sign kind={kind} id={member.id} size={28} />
      <div>
        <p className={styles['strong']}>{text}</p>
        <p className={styles['hint']}>
          {value.in
            ? reasonText(value.reason)
            : value.failed === undefined
              ? t('someone.notListed')
              : `${t('someone.failed', { condition: conditionText(value.failed) })} ${value.others === true ? t('someone.others') : ''}`}
        </p>
        {failure === undefined ? null : <p className={styles['refusal']}>{failure}</p>}
      </div>
      {all || (value.in && !isByHand) ? null : (
        <Button size="small" aria-disabled={offline || undefined} onClick={() => void change()}>
          {t(isByHand ? 'someone.remove' : 'someone.add')}
        </Button>
      )}
    </div>
  )
}

function FirstMembers({ segment, filter }: PartProps) {
  const t = useTexts('segments')
  const errorText = useErrorText()
  const { offline } = useConnection()
  const titleId = useId()
  const { id, kind, all } = segment
  const load = useMemo(() => loadMembers({ id, kind, filter, all }), [id, kind, filter, all])
  const { value, error, loading, asking } = useLoaded(offline ? undefined : load, useTopic('segments'), PAUSE_MS)
  const isEmpty = value?.length === 0
  /** An empty list is not shown as the answer while it is loaded again, as after someone was added. */
  const isLooking = loading || (asking && isEmpty)
  const reasonText = useReasonText(kind)
  return (
    <>
      <h2 id={titleId} className={styles['heading']}>
        {t('first.title')} <span>{t('first.order')}</span>
      </h2>
      {offline ? <p className={styles['hint']}>{t('first.offline')}</p> : null}
      {error === undefined ? null : <p className={styles['refusal']}>{errorText(error)}</p>}
      {isLooking && !offline ? <p className={styles['hint']}>{t('searching')}</p> : null}
      {isEmpty && !isLooking ? <p className={styles['hint']}>{t(`first.none.${kind}`)}</p> : null}
      <ul className={styles['members']} aria-labelledby={titleId}>
        {value?.map((member) => (
          <li key={member.id} className={styles['member']}>
            <Sign kind={kind} id={member.id} size={28} />
            <span className={styles['names']}>
              <bdi className="ellipsis">{member.name}</bdi>
              <span className={styles['second']}>{reasonText(member.reason)}</span>
            </span>
            {member.inactive === true ? <Tag>{t('inactive')}</Tag> : null}
            {member.reason.kind === 'byHand' ? <Tag>{t('byHand')}</Tag> : null}
          </li>
        ))}
      </ul>
    </>
  )
}

/** A portrait, or the sign of a channel. */
export const Sign = ({ kind, id, size }: { readonly kind: SegmentKind; readonly id: string; readonly size: number }) =>
  kind === 'user' ? <Portrait userId={id} size={size} /> : <Icon name="hash" size={16} />

function useReasonText(kind: SegmentKind): (reason: SegmentReason) => string {
  const t = useTexts('segments')
  const conditionText = useConditionText(kind)
  return (reason) => {
    if (reason.kind !== 'matches') return t(`reasons.${reason.kind}`)
    if (reason.conditions.length === 0) return t('reasons.matches')
    return reason.conditions.map(conditionText).join(' · ')
  }
}

type Asked = { readonly kind: SegmentKind; readonly filter: string; readonly all: boolean }
type Counted = {
  /** So far; absent until there is a number. */
  readonly count?: number
  /** Nobody is left to be counted. */
  readonly isWhole: boolean
  readonly isCounting: boolean
  readonly error?: ErrorBody
  /** Goes on where it stopped. */
  readonly goOn: () => void
}

/**
 * How many match, counted in steps. A server of others is asked for one step of its own accord, since it allows only so
 * many requests; our own for all of them.
 */
export function useCount({ kind, filter, all }: Asked, wanted = true): Counted {
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const isOwn = useManage()?.source === 'owner'
  const of = `${kind} ${String(all)} ${filter}`
  const [pressed, setPressed] = useState<string>()
  const goesOn = isOwn || pressed === of
  const [state, setState] = useState<{ of?: string; count: number; next?: string; error?: ErrorBody }>({ count: 0 })
  const here = state.of === of ? state : undefined
  const isWhole = here !== undefined && here.next === undefined && here.error === undefined
  const isStopped = here !== undefined && (isWhole || here.error !== undefined || !goesOn)
  const from = here?.next
  useEffect(() => {
    if (!wanted || offline || isStopped) return undefined
    let isAsked = true
    const ask = async (): Promise<void> => {
      const step = await dispatch(countMembers({ kind, filter, all, ...(from === undefined ? {} : { from }) }))
      if (!isAsked) return
      setState((before) => {
        const count = before.of === of ? before.count : 0
        return step.ok
          ? { of, count: count + step.value.count, next: step.value.next }
          : { of, count, next: from, error: step.error }
      })
    }
    const timer = setTimeout(() => void ask(), from === undefined ? PAUSE_MS : 0)
    return () => {
      isAsked = false
      clearTimeout(timer)
    }
  }, [dispatch, kind, filter, all, of, from, wanted, offline, isStopped])
  return {
    count: here === undefined || (here.error !== undefined && here.count === 0) ? undefined : here.count,
    isWhole,
    isCounting: wanted && !offline && !isStopped,
    error: here?.error,
    goOn: () => {
      setPressed(of)
      setState((before) => ({ ...before, error: undefined }))
    },
  }
}
