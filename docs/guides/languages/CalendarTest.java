// npx fake-calendar exec -- java -cp junit4.jar:hamcrest-core.jar:. org.junit.runner.JUnitCore CalendarTest
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.Before;
import org.junit.Test;

public class CalendarTest {
    private static final String EVENTS = "/calendar/v3/calendars/primary/events";
    private final HttpClient http = HttpClient.newHttpClient();

    /** Sends a request to the world "java". */
    private HttpResponse<String> send(String verb, String path, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(System.getenv("FAKE_CALENDAR_URL") + path))
            .header("Authorization", "Bearer java~alice@example.com").header("X-Fake-World", "java")
            .header("Content-Type", "application/json").method(verb, HttpRequest.BodyPublishers.ofString(body)).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Before
    public void reset() throws Exception {
        send("POST", "/_control/reset", "");
    }

    @Test
    public void anInsertIsRefusedOnce() throws Exception {
        send("POST", "/_control/faults", "{\"on\": \"events.insert\", \"do\": {\"fail\": \"backendError503\"}}");
        var lunch = "{\"summary\": \"Lunch\", \"start\": {\"date\": \"2026-03-02\"}, \"end\": {\"date\": \"2026-03-03\"}}";

        assertEquals(503, send("POST", EVENTS, lunch).statusCode());
        assertEquals(200, send("POST", EVENTS, lunch).statusCode());

        assertTrue(send("GET", EVENTS, "").body().contains("\"Lunch\""));
        assertEquals(200, send("GET", "/_control/faults/verify", "").statusCode());
    }
}
