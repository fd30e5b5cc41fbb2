/** The page came from the service worker: all of the app lies on this device, and no part of it has to wait for a line. */
export const isFromDevice = "serviceWorker" in navigator && navigator.serviceWorker.controller !== null;
