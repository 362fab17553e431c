import { useEffect, useState } from 'react'
import type { SegmentKind } from '#shared/domain/manage/segments.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { useManage } from '../state.ts'
import { countMembers } from './commands.ts'

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

/** After the last change of the filter. */
const PAUSE_MS = 300

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
