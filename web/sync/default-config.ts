// What is so where nothing was configured. Only what needs the network asks for it.
import type { Config } from "#protocol/http.ts";

/** Everything at this origin. */
export const DEFAULT_CONFIG: Config = {
  version: 1,
  authEndpoint: "/api/rooms/auth",
  authCredentials: "same-origin",
  api: "/api",
  rooms: "",
  build: "",
  signIn: ["password"],
  openSignup: false,
};
