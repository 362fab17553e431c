import { useEffect, useRef, useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { usePageInView } from '../../lib/page/page-in-view.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Tag } from '../../ui/Mark/Tag.tsx'
import { Spinner } from '../../ui/View/Spinner.tsx'
import { timeServer } from './commands.ts'

/** `knowsKey`: meaningful only for the key that was sent. */
type AnswerTime = { readonly ms: number; readonly knowsKey: boolean } | 'asking' | 'none' | undefined

/** After the last letter, and from an answer to the next request. */
const PAUSE_MS = 600
const EVERY_MS = 5_000

/**
 * How fast the server at an address answers, measured whenever typing stops and again every few seconds while the page is
 * in view. `undefined` while there is no address that can be asked.
 */
export function useAnswerTime(url: string, apiKey: string) {
  const t = useTexts('session')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const inView = usePageInView()
  const about = `${url.trim()} ${apiKey.trim()}`
  const [answer, setAnswer] = useState<{ readonly about: string; readonly time: AnswerTime }>()
  const latest = useRef(about)
  useEffect(() => void (latest.current = about), [about])
  const ask = async (): Promise<{ readonly time: AnswerTime; readonly error?: ErrorBody }> => {
    const timed = await dispatch(timeServer({ url: url.trim(), apiKey: apiKey.trim() }))
    const time = timed.ok ? timed.value : timed.error.code === 'session/unreachable' ? 'none' : undefined
    if (latest.current === about) setAnswer({ about, time })
    return timed.ok ? { time } : { time, error: timed.error }
  }
  const askNow = useRef(ask)
  useEffect(() => void (askNow.current = ask))
  const canAsk = /^https?:\/\/[^/]/i.test(url.trim()) && URL.canParse(url.trim())
  useEffect(() => {
    if (!canAsk || !inView) return undefined
    let timer = setTimeout(again, PAUSE_MS)
    let over = false
    async function again(): Promise<void> {
      await askNow.current()
      if (!over && latest.current === about) timer = setTimeout(again, EVERY_MS)
    }
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [about, canAsk, inView])
  return {
    time: answer?.about === about ? answer.time : undefined,
    /** Measures now, and says what came of it; resolves with why not, if the server can not be asked. */
    async test(): Promise<ErrorBody | undefined> {
      setAnswer({ about, time: 'asking' })
      const { time, error } = await ask()
      if (typeof time === 'object') announce(t('hosted.answers', { ms: formats.number(time.ms) }))
      return error
    },
  }
}

/** The time in the field of the address. Not a live region: it changes every few seconds. */
export function AnswerTag({ time }: { readonly time: AnswerTime }) {
  const t = useTexts('session')
  const formats = useFormats()
  if (time === undefined) return null
  if (time === 'asking') return <Spinner size={14} />
  if (time === 'none') return <Tag tone="danger">{t('hosted.noAnswer')}</Tag>
  return (
    <Tag tone="success">
      <Icon name="check" size={12} />
      {t('hosted.answers', { ms: formats.number(time.ms) })}
    </Tag>
  )
}

/** In the field of the API key, when the server does not know it. */
export function KeyTag({ time }: { readonly time: AnswerTime }) {
  const t = useTexts('session')
  return typeof time === 'object' && !time.knowsKey ? <Tag tone="warning">{t('hosted.keyUnknown')}</Tag> : null
}
