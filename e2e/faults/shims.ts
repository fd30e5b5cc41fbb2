/** Row 14, put into a page before the app; whole in itself, for it is sent there as text. */

/**
 * `newer`: either side adds fields and frames that the other has never heard of. `too-old`: this client says a version
 * that no room serves any more; `ages`: it does as soon as the page's body has the class `old`.
 */
export function otherAge(which: string): void {
  const Real = WebSocket;
  globalThis.WebSocket = class OtherAge extends Real {
    override addEventListener(
      type: string,
      listener: EventListenerOrEventListenerObject | null,
      options?: unknown,
    ): void {
      if (listener === null) return;
      if (type !== "message" || which !== "newer")
        return super.addEventListener(type, listener, options as AddEventListenerOptions);
      const tell = (data: string): void => {
        const event = new MessageEvent("message", { data });
        if (typeof listener === "function") listener.call(this, event);
        else listener.handleEvent(event);
      };
      super.addEventListener("message", (event) => {
        const { data } = event as MessageEvent<string>;
        if (!data.startsWith("{")) return tell(data);
        tell(JSON.stringify({ t: "weather", wind: 24 }));
        tell(JSON.stringify({ weather: { wind: 24 }, ...(JSON.parse(data) as object) }));
      });
    }

    override send(data: string): void {
      if (!data.startsWith("{")) return super.send(data);
      const frame = JSON.parse(data) as { readonly t: string };
      const isOld = which === "too-old" || (which === "ages" && document.body.classList.contains("old"));
      if (which === "ages" && !isOld) return super.send(data);
      if (isOld) return super.send(JSON.stringify(frame.t === "hello" ? { ...frame, v: 0 } : frame));
      super.send(JSON.stringify({ ...frame, weather: { wind: 24 } }));
      // Nothing may come before a hello.
      if (frame.t !== "hello") super.send(JSON.stringify({ t: "weather", wind: 24 }));
    }
  };
}

/** A browser in which no database can be opened, as in some private windows: the app keeps all in memory. */
export function keepsNothing(): void {
  IDBFactory.prototype.open = () => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  };
}
