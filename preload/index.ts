import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import {
  CALL_CHANNEL,
  HOST_ARGUMENT,
  PUSH_CHANNEL,
  type WindowControl,
  type Bridge,
  type HostInfo,
} from '#shared/bridge/transport.ts'
import { mediaUrl } from '#shared/bridge/media-url.ts'
import type { Push } from '#shared/domain/changes.ts'
import type { Reply } from '#shared/lib/contract.ts'

/** Main passes the window's facts as an argument: no call is needed before the first paint. */
const host = JSON.parse(
  process.argv.find((argument) => argument.startsWith(HOST_ARGUMENT))?.slice(HOST_ARGUMENT.length) ?? '{}',
) as HostInfo

const call = (name: string, input: unknown): Promise<Reply> =>
  ipcRenderer.invoke(CALL_CHANNEL, name, input) as Promise<Reply>

const control = (name: WindowControl) => (): void => void call(name, undefined)

const bridge: Bridge = {
  host,
  call,
  subscribe(listener) {
    // The event object gives access to Electron and must not leave the preload.
    const onPush = (_event: IpcRendererEvent, push: Push): void => listener(push)
    ipcRenderer.on(PUSH_CHANNEL, onPush)
    return () => void ipcRenderer.removeListener(PUSH_CHANNEL, onPush)
  },
  mediaUrl: (ref, variant) => Promise.resolve(mediaUrl(ref, variant)),
  windowControls: {
    minimize: control('window.minimize'),
    toggleMaximize: control('window.toggleMaximize'),
    close: control('window.close'),
  },
}

contextBridge.exposeInMainWorld('parlor', bridge)
