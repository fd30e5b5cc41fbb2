// The client's code that comes when it is first wanted, loaded before a world's time goes by: a run must not depend on
// how long the first time takes, and on a busy machine minutes of its time may pass until a module is there.
import "#protocol/errors.ts";
import "../../store/memory.ts";
import "../../store/memory-index.ts";
import "../../store/message-view.ts";
import "../../store/pins-view.ts";
import "../../store/timeline.ts";
import "../../store/timeline-find.ts";
import "../../sync/account-calls.ts";
import "../../sync/engine.ts";
import "../../sync/forget-beside.ts";
import "../../sync/later-commands.ts";
import "../../sync/lead-here.ts";
import "../../sync/readiness-view.ts";
import "../../sync/rebuild.ts";
import "../../sync/recover.ts";
import "../../sync/search/open-search.ts";
import "../../sync/status-view.ts";
import "../../sync/storage-care.ts";
import "../../sync/watch-waiting.ts";
import "../../sync/whole-outbox.ts";
