import { useState, type MouseEvent, type ReactNode } from 'react'
import { parseDeepLink } from '#shared/rules/desktop/deep-link.ts'
import { useTexts } from '../../i18n/index.ts'
import { command } from '../../store/command.ts'
import { openDestination } from '../../store/window/destination.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { asksFirst, safeLink } from '#shared/rules/markdown/safe-link.ts'

type Props = {
  readonly href: string
  readonly className?: string
  readonly children: ReactNode
}

/** Opens a URL in the system's browser; the engine checks it again. */
const openLink = command('links/opened', (url: string, engine) => engine.app.openExternal({ url }))

/** A link of a message: a deep link into Parlor, or an external one. */
export function MessageLink({ href, children }: Pick<Props, 'href' | 'children'>) {
  const dispatch = useAppDispatch()
  const inside = parseDeepLink(href)
  if (inside === undefined) return <ExternalLink href={href}>{children}</ExternalLink>
  return (
    <a
      href={href}
      draggable={false}
      onClick={(event) => {
        event.preventDefault()
        event.stopPropagation()
        openDestination(dispatch, { type: 'link', link: inside })
      }}
      onAuxClick={(event) => event.preventDefault()}
    >
      {children}
    </a>
  )
}

/**
 * A link out of the app. The page itself never follows it: a click makes the engine open it, after a confirmation if the
 * connection is not encrypted or the host has look-alike letters.
 */
export function ExternalLink({ href, className, children }: Props) {
  const dispatch = useAppDispatch()
  const [asking, setAsking] = useState(false)
  const link = safeLink(href)
  if (link === undefined) return <span className={className}>{children}</span>
  const open = (): void => {
    setAsking(false)
    void dispatch(openLink(link.href))
  }
  const onClick = (event: MouseEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    if (asksFirst(link)) setAsking(true)
    else open()
  }
  return (
    <>
      <a
        className={className}
        href={link.href}
        rel="noreferrer noopener"
        draggable={false}
        onClick={onClick}
        onAuxClick={onClick}
      >
        {children}
      </a>
      {asking ? <AskFirst href={link.href} host={link.host} onOpen={open} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

type AskProps = {
  readonly href: string
  readonly host: string
  readonly onOpen: () => void
  readonly onClose: () => void
}

function AskFirst({ href, host, onOpen, onClose }: AskProps) {
  const t = useTexts('messages')
  return (
    <Dialog
      title={t('link.title')}
      width={440}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('link.stay')}</Button>
          <Button variant="primary" onClick={onOpen}>
            {t('link.open', { host })}
          </Button>
        </>
      }
    >
      <DialogText>{t('link.why')}</DialogText>
      <DialogText muted>
        <bdi>{href}</bdi>
      </DialogText>
    </Dialog>
  )
}
